import type { Loss } from '../exportLosses.ts'

/** What a file cannot hold as it is: a sentence each. */
export type LossWords = Record<Loss, string>
