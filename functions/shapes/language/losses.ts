import type { Loss } from '../export-losses.ts'

/** A sentence for each kind of loss: what an export format cannot represent. */
export type LossTexts = Record<Loss, string>
