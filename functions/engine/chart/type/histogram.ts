import { findColumnType, type ChartType } from './type.ts'

export const histogram: ChartType = {
  name: 'Histogram',
  kind: 'marks',
  columns: ['x', 'y'],
  takesUnit: true,
  isStackable: false,
  isGrid: false,
  hasIndependentMarks: false,
  leavesOutGroups: false,
  mostGroupings: 1,
  assign({ output, getSetting, dimensions, measures }) {
    const isGrouped = output.groupings.length > 0
    const x = getSetting('x') ?? (isGrouped ? dimensions.shift() : measures.shift())
    const y = getSetting('y') ?? (isGrouped ? measures.shift() : undefined)
    return { x, y, measures: y ? [y] : [] }
  },
  findLack(answer) {
    const { x, y } = answer.parts
    if (findColumnType(answer, y ?? x) !== 'number') return 'number'
    if (x === undefined) return 'compared'
    return findColumnType(answer, x) === 'number' ? null : 'counted'
  },
}
