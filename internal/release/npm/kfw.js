#!/usr/bin/env node
// Starts the kfw of this system, which is a package of its own.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const isWindows = process.platform === "win32";
const name = `@kfw-dev/kfw-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/kfw${isWindows ? ".exe" : ""}`);
} catch {
  console.error(`kfw: no program for ${process.platform} on ${process.arch}: ${name} is not installed`);
  console.error("hint: install without --omit=optional, or go install github.com/kfw-dev/kfw@latest");
  process.exit(126);
}
const kfw = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// On Windows what is typed reaches both, and kill would end kfw at once.
for (const signal of isWindows
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"]) {
  process.on(signal, () => isWindows || kfw.kill(signal));
}
kfw.on("error", (error) => {
  console.error(`kfw: can't be started: ${error.code}`);
  process.exit(126);
});
kfw.on("exit", (status, signal) => process.exit(signal ? 128 + constants.signals[signal] : status));
