import type { Output } from '#functions/shapes/analytics.ts'
import { findLackOfComparison, type ChartType } from './type.ts'

export const pie: ChartType = {
  name: 'Pie',
  kind: 'marks',
  columns: ['x', 'y'],
  takesUnit: true,
  isStackable: false,
  isGrid: false,
  hasIndependentMarks: false,
  leavesOutGroups: false,
  mostGroupings: 1,
  assign({ getSetting, dimensions, measures }) {
    const color = getSetting('color') ?? getSetting('series') ?? getSetting('x') ?? dimensions.shift()
    const y = getSetting('y') ?? measures.shift()
    return { x: color, y, color, measures: y ? [y] : [] }
  },
  findLack(answer) {
    // Shares of a truncated answer are not those of the whole.
    if (answer.output.total !== undefined) return 'whole'
    if (isNoSum(answer.output, answer.parts.y)) return 'sums'
    return findLackOfComparison(answer)
  },
}

/** Whether the values of a column may not be summed: they are no parts of a whole. */
function isNoSum({ aggregations }: Output, alias: string | undefined): boolean {
  const own = aggregations.find((each) => each.alias === alias)?.function
  return own !== undefined && own !== 'count' && own !== 'sum'
}
