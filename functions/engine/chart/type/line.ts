import { assignAlong, findLackOfCourse, type ChartType } from './type.ts'

export const line: ChartType = {
  name: 'Line',
  kind: 'marks',
  columns: ['x', 'y', 'series'],
  takesUnit: true,
  isStackable: false,
  isGrid: false,
  hasIndependentMarks: true,
  leavesOutGroups: false,
  mostGroupings: 2,
  assign: assignAlong,
  findLack: findLackOfCourse,
}
