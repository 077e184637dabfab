import { assignAlong, type ChartType } from './type.ts'

export const number: ChartType = {
  name: 'Number',
  kind: 'number',
  columns: ['y'],
  takesUnit: true,
  isStackable: false,
  isGrid: false,
  hasIndependentMarks: false,
  leavesOutGroups: false,
  mostGroupings: null,
  assign: assignAlong,
  findLack: () => null,
}
