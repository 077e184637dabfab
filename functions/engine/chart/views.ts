import type { Visualization } from '#functions/shapes/analytics.ts'
import { findMisfit } from './fit.ts'
import { formatValue } from './format.ts'
import type { ChartInput } from './frame.ts'
import { pointAlias } from './map-spec.ts'
import { formatOptions } from './measure.ts'
import { createExtentFinder, findTimeColumn } from './periods.ts'
import { getMeasures, assignRoles } from './roles.ts'
import { chartTypes } from './type/index.ts'

/** An answer as a map or as marks, besides its own visualization. */
export interface OtherViews {
  map?: Visualization
  chart?: Visualization
}

type ViewInput = Pick<ChartInput, 'visualization' | 'output'>

/**
 * The alternative view of an answer: a map for marks, where its rows have regions or locations; bars for a map of
 * regions. Depends on columns only, never on rows; {} where there is none.
 */
export function getOtherViews(input: ViewInput): OtherViews {
  const { kind } = chartTypes[input.visualization.type]
  if (kind === 'marks') {
    const map = findMapView(input)
    return map ? { map } : {}
  }
  const chart = kind === 'map' ? findBarView(input) : null
  return chart ? { chart } : {}
}

function findMapView({ visualization, output }: ViewInput): Visualization | null {
  const { y } = assignRoles(visualization, output)
  const grouped = output.groupings.map(({ alias }) => alias).filter((alias) => alias in output.schema)
  const region = grouped.find((alias) => output.schema[alias]?.region !== undefined)
  if (region !== undefined && y !== undefined && output.schema[y]?.type === 'number') {
    // A region has one colour: other groupings must be time, of which a map shows one bucket.
    const isOneEach = grouped.every((alias) => alias === region || findTimeColumn(output, alias) !== null)
    return isOneEach && grouped.length <= 2 ? { type: 'map', settings: { region, color: y } } : null
  }
  const geometry = grouped.length === 0 ? pointAlias({ visualization, output }) : undefined
  return geometry === undefined ? null : { type: 'map', settings: { geometry } }
}

function findBarView({ visualization, output }: ViewInput): Visualization | null {
  const { region, color } = visualization.settings ?? {}
  const y = color ?? getMeasures(output)[0]
  if (region === undefined || y === undefined || output.groupings.length !== 1) return null
  const bars: Visualization = { type: 'bar', settings: { x: region, y } }
  return findMisfit(bars, output) === null ? bars : null
}

/**
 * The part of an answer that its map shows: along time the last fully covered bucket, named by `moment` (null:
 * everything is shown), and the highlighted one of several measures.
 */
export function mapInput(
  input: ChartInput,
  map: Visualization,
): { input: ChartInput; moment: string | null } {
  const { output, visualization: shownVisualization, highlight } = input
  const { region, color } = map.settings ?? {}
  const { series } = assignRoles(shownVisualization, output)
  const formatLabel = (row: ChartInput['rows'][number], alias: string) =>
    formatValue(row[alias], output.schema[alias], formatOptions(input))
  const measures = getMeasures(output)
  const highlighted = measures.find(
    (alias) => highlight !== undefined && output.schema[alias]?.name === highlight,
  )
  const measure =
    (series === undefined ? highlighted : undefined) ?? measures.find((alias) => alias === color)
  const settings = { ...map.settings, ...(region !== undefined && { color: measure ?? measures[0] }) }
  const all = { ...input, visualization: { ...map, settings } as Visualization }
  const time = output.groupings.find(({ alias }) => alias !== region && alias in output.schema)?.alias
  const times = findTimeColumn(output, time)
  if (time === undefined || !times) return { input: all, moment: null }
  const isChosen = (row: ChartInput['rows'][number]) =>
    highlight === undefined || series !== time || formatLabel(row, time) === highlight
  const getExtent = createExtentFinder(input, time)
  const datedRows = input.rows.filter(isChosen).flatMap((row) => {
    const at = times.toLocalTime(row[time], input.timeZone)
    return at === null ? [] : [{ row, at, isWhole: getExtent(row[time]) !== 'partial' }]
  })
  const covered = datedRows.filter(({ isWhole }) => isWhole)
  const visibleRows = covered.length > 0 ? covered : datedRows
  const last = visibleRows.reduce((most, { at }) => Math.max(most, at), -Infinity)
  const rows = visibleRows.flatMap(({ row, at }) => (at === last ? [row] : []))
  const [first] = rows
  return { input: { ...all, rows }, moment: first ? formatLabel(first, time) : null }
}
