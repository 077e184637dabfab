/** An error whose message tells a person what to do: it is printed alone, without a stack. */
export class CommandError extends Error {}
