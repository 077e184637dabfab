import { useId } from 'react'
import { DataTable } from './data-table.tsx'
import type { TableData } from './data-table.tsx'
import { FigureViews } from './figure-views.tsx'
import { Drawings, type StoredDrawing } from './drawings.tsx'
import { Legend } from './legend.tsx'
import type { LegendProps } from './legend.tsx'
import { trustWords, words } from './words.ts'

export interface FigureProps {
  /** What is shown, with its unit. */
  title: string
  /** The answer in one sentence. */
  sentence?: string
  /** The sentence is all there is to see, and is as large as a picture would be telling. */
  isSaid?: boolean
  /**
   * The picture where there are 640 px or more for it; it carries its own role, title and description. Empty where the
   * sentence or the table says it all.
   */
  svg: string
  /** The picture where there is less room; without it the wide one shrinks. */
  svgNarrow?: string
  /** The same pictures as a file, which the page then refers to. */
  stored?: StoredDrawing
  /** What the colours or sizes of a map say; charts carry theirs inside. */
  legend?: Omit<LegendProps, 'locale'>
  /** The same figures as a table. */
  table?: TableData
  csvHref?: string
  /** The picture as a file that explains itself. */
  svgHref?: string
  /** The same as pixels. */
  pngHref?: string
  /** What its pictures are made from, for addresses that ask for one: where it lies, without an ending, and what it says. */
  picture?: { href: string; subject: string }
  /** Another picture of the same answer: a map of what is a chart, or a chart of what is a map. It is fetched when it is chosen. */
  other?: { view: 'map' | 'chart'; href: string }
  /** What addresses call it; its page then has one figure of the name. */
  name?: string
  /** JSON for the chart island: a precompiled Vega spec. */
  chartHref?: string
  /** The same for the narrow picture; without it the narrow picture stays a picture. */
  chartHrefNarrow?: string
  /** JSON of the answer that the chart is drawn from: with it a reader can choose what of it is shown. */
  answerHref?: string
  /** The form by which an error in it is reported. */
  reportHref?: string
  /** The address of the figure alone, for frames on other sites. */
  embedHref?: string
  /** JSON for the map island. */
  mapHref?: string
  /** Where the figures come from, and their date. */
  note?: string
  locale: string
  /** The level of the title in the page's outline; 3 when not given. */
  level?: 2 | 3
  /** `plain` drops the title (the page has just said it). */
  variant?: 'plain'
}

/**
 * A chart or a map as a document: title, one sentence, the picture, the table and the files. Complete without
 * scripts; the island makes the picture live and shows the "Explore" button only once it can keep that promise.
 */
export function Figure(props: FigureProps) {
  const { title, sentence, svg, svgNarrow, legend, table, chartHref, mapHref, note, locale } = props
  const w = words(locale)
  const id = useId()
  const noteId = `${id}note`
  // Where the page has just said it, a second heading of the same words would only stand in the way.
  const Title = props.variant === 'plain' ? 'span' : props.level === 2 ? 'h2' : 'h3'
  const live = mapHref
    ? { 'data-map': '', 'data-map-href': mapHref }
    : chartHref
      ? {
          'data-chart': '',
          'data-chart-href': chartHref,
          'data-chart-href-narrow': props.chartHrefNarrow,
          'data-answer-href': props.answerHref,
          'data-embed': props.embedHref,
        }
      : {}
  return (
    <figure
      className={svgNarrow ? 'figure has-narrow' : 'figure'}
      aria-labelledby={id}
      data-figure={svg ? props.name : undefined}
      {...live}
    >
      <figcaption className="figure-head">
        <Title id={id} className={props.variant === 'plain' ? 'sr-only' : 'figure-title'}>
          {title}
        </Title>
        {sentence ? (
          <p className={props.isSaid ? 'figure-sentence is-said' : 'figure-sentence'}>{sentence}</p>
        ) : null}
      </figcaption>
      {svg && table ? (
        <FigureViews {...{ id, w }} isMap={Boolean(legend || mapHref)} other={props.other?.view} />
      ) : null}
      {svg ? (
        <div className="figure-plot" data-plot="">
          <Drawings
            {...{ svg, svgNarrow, stored: props.stored, labelledBy: id }}
            describedBy={note ? noteId : undefined}
          />
        </div>
      ) : null}
      {svg && props.other ? (
        // Fetched when it is seen, and then as wide as there is room; without scripts at once.
        <img
          className="figure-other"
          src={props.other.href}
          alt={props.other.view === 'map' ? w.viewMap : w.viewChart}
          loading="lazy"
        />
      ) : null}
      {legend && legend.classes.length > 0 ? <Legend {...legend} locale={locale} /> : null}
      {svg && table ? (
        <div className="figure-data">
          <DataTable {...table} label={w.tableOf(title)} />
        </div>
      ) : null}
      {note ? (
        <p id={noteId} className="figure-note">
          {note}
        </p>
      ) : null}
      <FigureFoot {...props} />
    </figure>
  )
}

/** What can be taken from a figure and done with it. */
function FigureFoot({
  title,
  svg,
  isSaid,
  table,
  csvHref,
  svgHref,
  pngHref,
  chartHref,
  mapHref,
  reportHref,
  locale,
}: FigureProps) {
  const w = words(locale)
  return (
    <div className="figure-foot">
      {table && !svg ? (
        // What has no picture and says little more than that is its table.
        <details className="figure-data" open={!isSaid}>
          <summary>{w.showData}</summary>
          <DataTable {...table} label={w.tableOf(title)} />
        </details>
      ) : null}
      {csvHref ? (
        <a className="figure-csv" href={csvHref} download>
          {w.downloadCsv}
        </a>
      ) : null}
      {svgHref ? (
        <a className="figure-svg" href={svgHref} download>
          {w.downloadSvg}
        </a>
      ) : null}
      {pngHref ? (
        <a className="figure-png" href={pngHref} download>
          {w.downloadPng}
        </a>
      ) : null}
      {chartHref || mapHref ? (
        <button type="button" className="figure-explore keeps-room" data-full-screen="" hidden>
          {w.fullScreen}
        </button>
      ) : null}
      {chartHref || mapHref ? (
        <button
          type="button"
          className="figure-explore keeps-room"
          data-explore=""
          data-loading={w.loading}
          data-failed={w.notLive}
          hidden
        >
          {mapHref ? w.exploreMap : w.exploreChart}
        </button>
      ) : null}
      {reportHref ? (
        <a href={reportHref} rel="nofollow">
          {trustWords(locale).reportFigure}
        </a>
      ) : null}
    </div>
  )
}
