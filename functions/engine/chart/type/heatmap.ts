import { findColumnType, type ChartType } from './type.ts'

export const heatmap: ChartType = {
  name: 'Heatmap',
  kind: 'marks',
  columns: ['x', 'y', 'color'],
  takesUnit: true,
  isStackable: false,
  isGrid: true,
  hasIndependentMarks: false,
  leavesOutGroups: false,
  mostGroupings: 2,
  assign({ getSetting, dimensions, measures }) {
    const x = getSetting('x') ?? dimensions.shift()
    const y = getSetting('y') ?? dimensions.shift()
    const color = getSetting('color') ?? measures.shift()
    return { x, y, color, measures: color ? [color] : [] }
  },
  findLack(answer) {
    const { x, y, color } = answer.parts
    if (findColumnType(answer, color) !== 'number') return 'number'
    return x === undefined || y === undefined ? 'twoGroupings' : null
  },
}
