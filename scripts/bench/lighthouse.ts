import lighthouse from 'lighthouse'
import { median } from './measure.ts'

/** The parts of a Lighthouse run that are reported. */
export interface LighthouseReport {
  /** From 0 to 1, by category. */
  scores: Record<Category, number>
  /** Largest contentful paint on the simulated phone, in milliseconds. */
  lcp: number
  /** Cumulative layout shift. */
  cls: number
  /** Total blocking time while the page loads on the simulated phone, in milliseconds. */
  tbt: number
  /** Bytes transferred, headers included, of the document with its style sheets; and of scripts. */
  textBytes: number
  /** Of the document alone. */
  documentBytes: number
  scriptBytes: number
  /** The failed audits. */
  failed: FailedAudit[]
}

interface FailedAudit {
  audit: string
  category: Category
  score: number
  weight: number
  /** Lighthouse's own title of the audit. */
  title: string
  value: string
  /** The first few selectors or addresses at which it failed. */
  at: string[]
}

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof categories)[number]
export { categories }

/** The parts of Lighthouse's result that are read here; the library types them more widely. */
interface Result {
  runtimeError?: { message: string }
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, Audit>
}
interface Audit {
  score: number | null
  scoreDisplayMode: string
  title: string
  displayValue?: string
  numericValue?: number
  details?: unknown
}

/**
 * Runs Lighthouse once on the simulated phone, in the browser with this debugging port. `isUnlisted`: the
 * page is `noindex` on purpose, so that audit may fail.
 */
export async function runLighthouse(
  url: string,
  { port, isUnlisted }: { port: number; isUnlisted: boolean },
): Promise<LighthouseReport> {
  const run = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: [...categories],
    ...(isUnlisted && { skipAudits: ['is-crawlable'] }),
  })
  if (!run) throw new Error(`Lighthouse said nothing of ${url}.`)
  return toLighthouseReport(run.lhr as unknown as Result)
}

/** Reads a result. Throws when the page could not be measured. */
export function toLighthouseReport(result: Result): LighthouseReport {
  if (result.runtimeError) throw new Error(result.runtimeError.message)
  const number = (id: string) => result.audits[id]?.numericValue ?? NaN
  const scores = {} as LighthouseReport['scores']
  for (const each of categories) scores[each] = result.categories[each]?.score ?? 0
  const requests = getAuditItems(result.audits['network-requests'])
  const bytes = (...types: string[]) =>
    requests
      .filter((each) => types.includes(String(each.resourceType)))
      .reduce((sum, each) => sum + Number(each.transferSize ?? 0), 0)
  return {
    scores,
    lcp: number('largest-contentful-paint'),
    cls: number('cumulative-layout-shift'),
    tbt: number('total-blocking-time'),
    textBytes: bytes('Document', 'Stylesheet'),
    documentBytes: bytes('Document'),
    scriptBytes: bytes('Script'),
    failed: categories.flatMap((category) => listFailedAudits(result, category)),
  }
}

function listFailedAudits({ categories: all, audits }: Result, category: Category): FailedAudit[] {
  return (all[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
    const audit = audits[id]
    const isScored = audit && ['binary', 'numeric', 'metricSavings'].includes(audit.scoreDisplayMode)
    if (!isScored || audit.score === null || audit.score >= 0.995) return []
    const { score, title, displayValue = '' } = audit
    const at = getAuditItems(audit).flatMap(describeItem).slice(0, 5)
    return [{ audit: id, category, score, weight, title, value: displayValue, at }]
  })
}

function getAuditItems(audit: Audit | undefined): Record<string, unknown>[] {
  const { items } = (audit?.details ?? {}) as { items?: Record<string, unknown>[] }
  return Array.isArray(items) ? items : []
}

function describeItem(item: Record<string, unknown>): string[] {
  const { selector, snippet } = (item.node ?? {}) as { selector?: string; snippet?: string }
  const snippetText = selector
    ? `${selector} ${snippet ?? ''}`
    : (item.url ?? item.description ?? item.source)
  return typeof snippetText === 'string' ? [snippetText.slice(0, 200)] : []
}

/** Returns the median of several runs for each figure; of failed audits the union. */
export function computeMedianReport(runs: readonly LighthouseReport[]): LighthouseReport {
  const computeMedianFigure = (pick: (run: LighthouseReport) => number) => median(runs.map(pick))
  const scores = {} as LighthouseReport['scores']
  for (const each of categories) scores[each] = computeMedianFigure((run) => run.scores[each])
  const failures = new Map(runs.flatMap((run) => run.failed).map((each) => [each.audit, each]))
  return {
    scores,
    lcp: computeMedianFigure((run) => run.lcp),
    cls: computeMedianFigure((run) => run.cls),
    tbt: computeMedianFigure((run) => run.tbt),
    textBytes: computeMedianFigure((run) => run.textBytes),
    documentBytes: computeMedianFigure((run) => run.documentBytes),
    scriptBytes: computeMedianFigure((run) => run.scriptBytes),
    failed: [...failures.values()],
  }
}
