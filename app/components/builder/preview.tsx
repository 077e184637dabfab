import { formatNumber } from '../list/number-format.ts'
import { issueWords } from '#app/components/form/issues.ts'
import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { useSlow } from '#app/client/use-slow.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { DataTable, type TableData } from '../hub/data-table.tsx'
import { ShownInsight, type InsightView } from '../insight/shown-insight.tsx'
import { Loader, slowWords } from '../state/loader.tsx'

/** The result of an unsaved query: its figure, or its issues. Paths start within the query. */
export type Preview =
  | {
      ok: true
      view: InsightView
      live: Omit<ChartInput, 'width'>
      /** Why another visualization was used than the chosen one. */
      why: string | null
      table: TableData
      /** The number of rows. */
      rows: number
      summary: string
    }
  | { ok: false; message: string; issues: Issue[] }

/** The preview in an action result, for forms without scripts; null for other intents. */
export function findPreview(outcome: unknown): Preview | null {
  const result = outcome as { intent?: unknown; result?: Preview } | null | undefined
  return result?.intent === 'preview' ? (result.result ?? null) : null
}

interface PreviewProps {
  /** The newest preview; null before the first. */
  preview: Preview | null
  /** The last successful preview, shown faded while the query is invalid. */
  last: Extract<Preview, { ok: true }> | null
  isAsking: boolean
}

/** The preview of the current query: figure, sentence, table. */
export function PreviewPane({ preview, last, isAsking }: PreviewProps) {
  const result = preview?.ok ? preview : last
  const isSlow = useSlow(isAsking)
  return (
    <section className="preview" aria-label="Answer" aria-busy={isAsking}>
      <p className="sr-only" role="status">
        {isSlow
          ? slowWords
          : isAsking
            ? 'Asking…'
            : preview?.ok
              ? `${rowsText(preview.rows)}. ${preview.summary}`
              : ''}
      </p>
      {preview && !preview.ok ? (
        <div className="notice is-warning" role="status">
          <p>{preview.message}</p>
          {preview.issues.length ? (
            <ul>
              {preview.issues.map((issue, i) => (
                <li key={i}>{issueWords(issue)}</li>
              ))}
            </ul>
          ) : null}
        </div>
      ) : null}
      {result ? (
        <div className={preview?.ok && !isAsking ? 'preview-answer' : 'preview-answer is-stale'}>
          <ShownInsight view={result.view} live={result.live} />
          {result.view.kind === 'number' ? <p className="muted">{result.summary}</p> : null}
          <details className="disclosure">
            <summary>{rowsText(result.rows)}</summary>
            <DataTable {...result.table} label="Answer" />
          </details>
        </div>
      ) : preview ? null : (
        <Loader label="Asking" />
      )}
    </section>
  )
}

const rowsText = (n: number) => (n === 1 ? '1 row' : `${formatNumber(n)} rows`)
