import type { Loss } from '#functions/shapes/exportLosses.ts'
import { words } from '../hub/words.ts'

/** What a file cannot hold as it is, in sentences; the workspace is in English. */
export const lossText = (losses: readonly Loss[]) => losses.map((loss) => words('en').losses[loss]).join(' ')
