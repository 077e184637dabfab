import { findColumnType, type ChartType } from './type.ts'

export const scatter: ChartType = {
  name: 'Scatter',
  kind: 'marks',
  columns: ['x', 'y', 'color', 'size', 'label'],
  takesUnit: true,
  isStackable: false,
  isGrid: false,
  hasIndependentMarks: false,
  leavesOutGroups: false,
  mostGroupings: null,
  assign({ output, getSetting, dimensions, measures }) {
    const x = getSetting('x') ?? measures.shift()
    const y = getSetting('y') ?? measures.shift()
    const label = getSetting('label') ?? dimensions.find((alias) => output.schema[alias]?.type === 'text')
    return { x, y, measures: y ? [y] : [], color: getSetting('color') ?? getSetting('series'), label }
  },
  findLack(answer) {
    const { x, y } = answer.parts
    return findColumnType(answer, x) === 'number' && findColumnType(answer, y) === 'number'
      ? null
      : 'twoNumbers'
  },
}
