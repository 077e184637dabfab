import type { TopLevelSpec } from 'vega-lite'
import type { VisualizationType } from '#functions/shapes/analytics.ts'
import { barsSpec } from './bars.ts'
import type { ChartInput } from './frame.ts'
import { heatmapSpec } from './heatmap.ts'
import { histogramSpec } from './histogram.ts'
import { pieSpec } from './pie.ts'
import { scatterSpec } from './scatter.ts'
import { timeSeriesSpec } from './time-series.ts'

/** The families by type; a type that is not here is no chart of marks on axes. */
const families: Partial<Record<VisualizationType, (input: ChartInput) => TopLevelSpec | null>> = {
  line: timeSeriesSpec,
  area: timeSeriesSpec,
  bar: barsSpec,
  histogram: histogramSpec,
  pie: pieSpec,
  scatter: scatterSpec,
  heatmap: heatmapSpec,
}

/**
 * The vega-lite spec of an insight's answer. Null for numbers, tables, maps and text, which are not charts, and where
 * the rows have nothing to draw. Throws a RangeError for an unknown time zone or locale.
 */
export function chartSpec(input: ChartInput): TopLevelSpec | null {
  return families[input.visualization.type]?.(input) ?? null
}
