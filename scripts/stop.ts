/** A person can act on this sentence: it is printed alone, without a stack. */
export class Stop extends Error {}
