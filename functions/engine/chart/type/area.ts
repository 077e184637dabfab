import { line } from './line.ts'
import type { ChartType } from './type.ts'

export const area: ChartType = { ...line, name: 'Area', isStackable: true }
