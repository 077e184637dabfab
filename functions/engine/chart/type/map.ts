import { assignAlong, type AnswerColumns, type ChartType } from './type.ts'

const geometries = ['point', 'line', 'multiline', 'polygon', 'multipolygon', 'geometry']

export const map: ChartType = {
  name: 'Map',
  kind: 'map',
  columns: ['geometry', 'latitude', 'longitude', 'region', 'color', 'size', 'label'],
  takesUnit: false,
  isStackable: false,
  isGrid: false,
  hasIndependentMarks: false,
  leavesOutGroups: false,
  mostGroupings: null,
  assign: assignAlong,
  findLack: (answer) => (isPlaced(answer) ? null : 'places'),
}

function isPlaced({ visualization: { settings }, output: { schema } }: AnswerColumns): boolean {
  if (settings?.region || (settings?.latitude && settings.longitude)) return true
  return Object.values(schema).some(({ type }) => geometries.includes(type ?? ''))
}
