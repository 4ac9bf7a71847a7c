/// The version of the tool, as `--version` and the JSON report give it.
let toolVersion = "0.1.0"
