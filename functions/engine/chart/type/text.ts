import { assignAlong, type ChartType } from './type.ts'

export const text: ChartType = {
  name: 'Sentence',
  kind: 'sentence',
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
