import { assignAlong, type ChartType } from './type.ts'

export const table: ChartType = {
  name: 'Table',
  kind: 'table',
  columns: [],
  takesUnit: false,
  isStackable: false,
  isGrid: false,
  hasIndependentMarks: false,
  leavesOutGroups: false,
  mostGroupings: null,
  assign: assignAlong,
  findLack: () => null,
}
