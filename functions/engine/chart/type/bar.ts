import { assignAlong, findLackOfComparison, type ChartType } from './type.ts'

export const bar: ChartType = {
  name: 'Bars',
  kind: 'marks',
  columns: ['x', 'y', 'series'],
  takesUnit: true,
  isStackable: true,
  isGrid: false,
  hasIndependentMarks: true,
  leavesOutGroups: true,
  mostGroupings: 2,
  assign: assignAlong,
  findLack: findLackOfComparison,
}
