/** openBrowser: shows an address in the person's own browser. */
import { spawn } from "node:child_process";

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  // `start` takes its first quoted word for a title.
  win32: ["cmd", "/c", "start", '""'],
};

/** Where there is none, `say` tells the person to do it. */
export function openBrowser(url: string, say: (line: string) => void): void {
  const [command, ...given] = COMMANDS[process.platform] ?? ["xdg-open"];
  const opening = spawn(command!, [...given, url], { stdio: "ignore", detached: true });
  opening.once("error", () => say("Could not start a browser; open the address yourself."));
  opening.unref();
}
