import type { TopLevelSpec } from 'vega-lite'
import type { VisualizationType } from '#functions/shapes/analytics.ts'
import { barsSpec } from './bars.ts'
import type { ChartInput } from './frame.ts'
import { fitVisualization } from './fit.ts'
import { heatmapSpec } from './heatmap.ts'
import { histogramSpec } from './histogram.ts'
import { mapSpec } from './map-spec.ts'
import { numberSpec } from './number.ts'
import { pieSpec } from './pie.ts'
import { toReadableAnswer } from './readable.ts'
import { scatterSpec } from './scatter.ts'
import { tableSpec } from './table-spec.ts'
import { timeSeriesSpec } from './time-series.ts'
import { wordsSpec } from './words.ts'

/** The families by type. */
const families: Record<VisualizationType, (input: ChartInput) => TopLevelSpec | null> = {
  number: numberSpec,
  line: timeSeriesSpec,
  area: timeSeriesSpec,
  bar: barsSpec,
  histogram: histogramSpec,
  pie: pieSpec,
  scatter: scatterSpec,
  heatmap: heatmapSpec,
  table: tableSpec,
  map: mapSpec,
  text: wordsSpec,
}

/**
 * The vega-lite spec of an insight's answer, in readable units. Null where there is nothing to draw. Unsuitable
 * visualizations are replaced by `fitVisualization`. Throws a RangeError for an unknown time zone or locale.
 */
export function chartSpec(input: ChartInput): TopLevelSpec | null {
  const { visualization } = fitVisualization(input.visualization, input.output)
  return families[visualization.type](toReadableAnswer({ ...input, visualization }))
}
