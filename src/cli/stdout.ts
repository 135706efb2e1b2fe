/** Writing to stdout with back-pressure: the promise settles when the text was taken. If it is not, the program ends. */
export function writeStdout(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve();
    });
  });
}
