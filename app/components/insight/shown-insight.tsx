import { useEffect, useRef } from 'react'
import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { wireLiveFigure } from '#app/client/live-figure.ts'
import { Figure, type FigureProps } from '../hub/figure.tsx'
import { NumberFigure, type NumberFigureProps } from '../hub/number-figure.tsx'

export type InsightView =
  | { kind: 'number'; number: NumberFigureProps }
  | { kind: 'figure'; figure: FigureProps }

interface ShownInsightProps {
  view: InsightView
  /** The input of the chart; with it the chart is hydrated. */
  live?: Omit<ChartInput, 'width'>
}

/**
 * An insight in the workspace: the same picture as for readers. The files of stored hub pages do not exist here, so their links are
 * omitted, and a live chart is drawn from the page's own data.
 */
export function ShownInsight({ view, live }: ShownInsightProps) {
  const ref = useRef<HTMLDivElement>(null)
  const isLive = live !== undefined && view.kind === 'figure' && view.figure.chartHref !== undefined
  useEffect(() => {
    const figure = ref.current?.querySelector<HTMLElement>('figure')
    if (!figure || !isLive) return
    return wireLiveFigure(figure, () => loadChartSpec(live))
  }, [isLive, live])
  if (view.kind === 'number') return <NumberFigure {...view.number} />
  const {
    csvHref: _csv,
    svgHref: _svg,
    mapHref: _map,
    chartHref: _chart,
    answerHref: _answer,
    ...figure
  } = view.figure
  return (
    <div className="shown-insight" ref={ref}>
      <Figure {...figure} {...(isLive ? { chartHref: '#live' } : {})} level={2} />
    </div>
  )
}

/** The specification of a live chart; the code is loaded when someone points at the chart. */
async function loadChartSpec(live: Omit<ChartInput, 'width'>): Promise<object | null> {
  const [{ chartSpec }, { compileChart }, { chartWidths }] = await Promise.all([
    import('#functions/engine/chart/spec.ts'),
    import('#functions/engine/chart/compiled.ts'),
    import('#functions/engine/chart/frame.ts'),
  ])
  const spec = chartSpec({ ...live, width: chartWidths.wide })
  return spec && compileChart(spec)
}
