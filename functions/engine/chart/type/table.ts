import { assignAlong, type ChartType } from './type.ts'

export const table: ChartType = {
  name: 'Table',
  kind: 'table',
  columns: [],
  takesUnit: false,
  isStackable: false,
  isGrid: false,
  mostGroupings: null,
  assign: assignAlong,
  findLack: () => null,
}
