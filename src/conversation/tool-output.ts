/** ToolOutput: what a tool printed, and the call that it answers. */
export interface ToolOutput {
  readonly text: string;
  readonly toolName: string;
  /** JSON text of the call. */
  readonly toolArguments: string;
  /** The wire says that the tool failed. */
  readonly isError: boolean;
}
