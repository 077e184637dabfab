import type { Loss } from '../exportLosses.ts'

/** A sentence for each kind of loss: what an export format cannot represent. */
export type LossTexts = Record<Loss, string>
