import { assignAlong, type ChartType } from './type.ts'

export const number: ChartType = {
  name: 'Number',
  kind: 'number',
  columns: ['y'],
  takesUnit: true,
  isStackable: false,
  isGrid: false,
  mostGroupings: null,
  assign: assignAlong,
  findLack: () => null,
}
