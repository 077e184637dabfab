import type { Output, Visualization, VisualizationType } from '#functions/shapes/analytics.ts'
import { roles } from './roles.ts'

/** What of a visualization does not suit an answer: the setting it is about, null for the type itself, and why. */
export interface Misfit {
  setting: string | null
  why: string
}

const names: Record<VisualizationType, string> = {
  number: 'A number',
  line: 'A line',
  bar: 'A bar chart',
  area: 'An area',
  pie: 'A pie',
  scatter: 'A scatter plot',
  heatmap: 'A heatmap',
  histogram: 'A histogram',
  table: 'A table',
  map: 'A map',
  text: 'A text',
}

/** Settings that name no column of the answer. */
const plain = new Set(['boundarySetId', 'unit', 'stacked'])
const geometries = ['point', 'line', 'multiline', 'polygon', 'multipolygon', 'geometry']

/** Why an answer cannot be drawn as a visualization says; null when it can. Looks at columns, never at rows. */
export function misfitOf(visualization: Visualization, output: Output): Misfit | null {
  for (const [setting, alias] of Object.entries(visualization.settings ?? {})) {
    if (plain.has(setting) || typeof alias !== 'string' || Object.hasOwn(output.schema, alias)) continue
    return { setting, why: `The answer has no column “${alias}”.` }
  }
  const why = wrongType(visualization, output)
  return why === null ? null : { setting: null, why: `${names[visualization.type]} ${why}` }
}

function wrongType(visualization: Visualization, output: Output): string | null {
  const { type, settings } = visualization
  if (type === 'number' || type === 'table' || type === 'text') return null
  if (type === 'map')
    return isPlaced(visualization, output) ? null : 'needs points, or a column that names regions.'
  const parts = roles(visualization, output)
  const typeOf = (alias: string | undefined) => (alias === undefined ? undefined : output.schema[alias]?.type)
  const measure = type === 'heatmap' ? parts.color : type === 'histogram' ? (parts.y ?? parts.x) : parts.y
  if (type === 'scatter')
    return typeOf(parts.x) === 'number' && typeOf(parts.y) === 'number' ? null : 'needs two numbers.'
  if (typeOf(measure) !== 'number') return 'needs a number.'
  if (type === 'heatmap' && (parts.x === undefined || parts.y === undefined)) return 'needs two groupings.'
  const across = typeOf(parts.x)
  if (type === 'line' || type === 'area') {
    if (across !== 'date' && across !== 'number') return 'needs dates or numbers to run along.'
  } else if (parts.x === undefined) return 'needs something to compare.'
  if (type === 'histogram' && across !== 'number') return 'needs numbers to count.'
  const used = [parts.x, parts.y, parts.series, parts.color, settings?.label]
  const rest = output.groupings.filter(({ alias }) => alias in output.schema && !used.includes(alias))
  const count = output.groupings.length
  const most = type === 'pie' || type === 'histogram' ? 1 : 2
  return rest.length === 0 && count <= most
    ? null
    : `shows ${most === 1 ? 'one grouping' : 'two groupings'} at most; this answer has ${count}.`
}

function isPlaced({ settings }: Visualization, { schema }: Output): boolean {
  if (settings?.region || (settings?.latitude && settings.longitude)) return true
  return Object.values(schema).some(({ type }) => geometries.includes(type ?? ''))
}

/**
 * How an answer is drawn: as its visualization says where that suits it, else as bars, one number or a table, whichever
 * tells most, with the sentence that says why.
 */
export function fitted(
  visualization: Visualization,
  output: Output,
): { visualization: Visualization; why: string | null } {
  const misfit = misfitOf(visualization, output)
  if (!misfit) return { visualization, why: null }
  const unit = visualization.settings?.unit
  const settings = unit === undefined ? undefined : { settings: { unit } }
  // With the settings that name nothing left out it may suit after all
  const own = { type: visualization.type, ...settings }
  if (misfit.setting !== null && misfitOf(own, output) === null)
    return { visualization: own, why: misfit.why }
  const bars: Visualization = { type: 'bar', ...settings }
  const isOne = output.aggregations.length > 0 && output.groupings.length === 0
  if (misfitOf(bars, output) === null && output.groupings.length > 0)
    return { visualization: bars, why: `${misfit.why} It is drawn as bars.` }
  if (isOne && output.aggregations.length === 1)
    return { visualization: { type: 'number', ...settings }, why: `${misfit.why} It is told as a number.` }
  return { visualization: { type: 'table' }, why: `${misfit.why} It is told as a table.` }
}

/** The visualization that tells most of an answer whose asker named none. */
export function suited(output: Output): Visualization {
  if (output.aggregations.length > 0 && output.groupings.length === 0) return { type: 'number' }
  const types: VisualizationType[] = ['line', 'bar', 'map']
  const type = types.find((one) => output.groupings.length > 0 && misfitOf({ type: one }, output) === null)
  return { type: type ?? 'table' }
}
