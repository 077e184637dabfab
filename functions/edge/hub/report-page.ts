import { errorReportDays, maxReportLength } from '#functions/shapes/error-report.ts'
import { escapeHtml } from '#functions/shapes/html-text.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { formatTag, type Locale } from '#functions/shapes/locale.ts'
import { plural } from '#functions/shapes/plural.ts'
import { reportFields, type ReportProblem, type ReportProblems, type ReportValues } from './report-form.ts'
import type { TableContent } from './serve-table.ts'

/** The path of a source's report form, without a language. */
export interface ReportAddress {
  isReport: true
  /** The path of the source's page. */
  source: string
  sourceId: string
  /** The rest of the path after that of the source. */
  rest: string
}

const reportPath = /^(\/domains\/[\w-]+\/source\/([\w-]{1,64}))(\/report)$/

/** Parses the path of a report form; null for other paths. */
export function reportAt(path: string): ReportAddress | null {
  const [, source, sourceId, rest] = reportPath.exec(path) ?? []
  if (source === undefined || sourceId === undefined || rest === undefined) return null
  return { isReport: true, source, sourceId, rest }
}

/** The state of the page: the form with values and errors, or a confirmation. */
export type ReportState =
  | {
      kind: 'form'
      values: ReportValues
      problems: ReportProblems
      form: string
      status: number
      /** Seconds until another attempt is allowed; null: at once. */
      retryAfter: number | null
    }
  | { kind: 'done'; hasEmail: boolean }
  /** The source does not take reports (any more). */
  | { kind: 'gone' }

/** The content of the page, for the stored shell. Escapes all text of readers. */
export function reportContent(
  { rest }: ReportAddress,
  {
    name,
    sourcePath,
    locale,
    privacyPath,
    figure,
  }: {
    name: string
    sourcePath: string
    locale: Locale
    privacyPath: string
    /** The title of the figure as readers see it; null if it is not public. */
    figure: string | null
  },
  state: ReportState,
): TableContent {
  const { report: w } = languages[locale]
  const headers: Record<string, string> = { 'cache-control': 'no-store' }
  const back = `<a class="button" href="${escapeHtml(sourcePath)}">${escapeHtml(w.back)}</a>`
  if (state.kind === 'gone')
    return {
      ...{ status: 410, title: w.title(name), isWhole: false, headers },
      html: `<div class="report"><p role="alert">${escapeHtml(w.problems.gone)}</p></div>`,
    }
  if (state.kind === 'done')
    return {
      ...{ status: 200, title: w.done, isWhole: false, headers },
      html: `<div class="report"><div role="status"><p>${escapeHtml(w.doneText)}</p>${
        state.hasEmail ? `<p>${escapeHtml(w.doneAnswer)}</p>` : ''
      }</div><p class="row">${back} <a class="button" href="${escapeHtml(sourcePath + rest)}">${escapeHtml(w.again)}</a></p>${renderPrivacyNotice(locale, privacyPath)}</div>`,
    }
  if (state.retryAfter !== null) headers['retry-after'] = String(state.retryAfter)
  return {
    ...{ status: state.status, title: w.title(name), isWhole: false, headers },
    html: `<div class="report">${formHtml(state, sourcePath + rest, figure, locale)}${renderPrivacyNotice(locale, privacyPath)}</div>`,
  }
}

function formHtml(
  { values, problems, form, retryAfter }: Extract<ReportState, { kind: 'form' }>,
  action: string,
  figure: string | null,
  locale: Locale,
): string {
  const { report: w } = languages[locale]
  const number = (value: number) => new Intl.NumberFormat(formatTag(locale)).format(value)
  const describeProblem = (problem: ReportProblem) => {
    if (problem === 'long') return w.problems.long(number(values.text.length), number(maxReportLength))
    if (problem === 'tooMany')
      return plural(w.problems.tooMany, Math.max(1, Math.ceil((retryAfter ?? 60) / 60)), formatTag(locale))
    return w.problems[problem]
  }
  const firstWrong = problems.text ? 'text' : problems.email ? 'email' : null
  const attributes = (field: 'text' | 'email') =>
    `aria-describedby="report-${field}-hint${problems[field] ? ` report-${field}-problem` : ''}"${
      problems[field] ? ' aria-invalid="true"' : ''
    }${firstWrong === field ? ' autofocus' : ''}`
  const renderProblem = (field: 'text' | 'email') => {
    const problem = problems[field]
    return problem
      ? `<p class="report-problem" id="report-${field}-problem">${escapeHtml(describeProblem(problem))}</p>`
      : ''
  }
  const renderHiddenInput = (name: string, value: string | null) =>
    value === null || value === '' ? '' : `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
  const isWrong = Object.keys(problems).length > 0
  const alert = isWrong
    ? `<div class="report-refused" role="alert"><h2>${escapeHtml(w.refused)}</h2>${[
        problems.form,
        problems.text,
        problems.email,
      ]
        .flatMap((problem) => (problem ? [`<p>${escapeHtml(describeProblem(problem))}</p>`] : []))
        .join('')}</div>`
    : ''
  const about =
    values.datumId === null
      ? figure === null
        ? ''
        : `<p class="report-about">${escapeHtml(w.aboutFigure(figure))}</p>`
      : `<p class="report-about">${escapeHtml(w.aboutRecord(values.datumId))}</p>`
  return `${alert}<p>${escapeHtml(w.intro)}</p>${about}
<form class="report-form" method="post" action="${escapeHtml(action)}" accept-charset="utf-8">
<div class="report-field"><label for="report-text">${escapeHtml(w.text)}</label><p class="muted" id="report-text-hint">${escapeHtml(w.textHint)}</p>${renderProblem('text')}
<textarea id="report-text" name="${reportFields.text}" rows="8" required maxlength="${maxReportLength}" dir="auto" ${attributes('text')}>\n${escapeHtml(values.text)}</textarea></div>
<div class="report-field"><label for="report-email">${escapeHtml(w.email)}</label><p class="muted" id="report-email-hint">${escapeHtml(w.emailHint)}</p>${renderProblem('email')}
<input id="report-email" name="${reportFields.email}" type="email" maxlength="254" autocomplete="email" dir="ltr" value="${escapeHtml(values.email)}" ${attributes('email')}></div>
<div class="report-bait" aria-hidden="true"><label>${escapeHtml(w.empty)} <input name="${reportFields.bait}" type="text" tabindex="-1" autocomplete="off"></label></div>
${renderHiddenInput(reportFields.record, values.datumId)}${renderHiddenInput(reportFields.figure, values.insightId)}${renderHiddenInput(reportFields.form, form)}
<button class="button is-primary" type="submit">${escapeHtml(w.send)}</button>
</form>`
}

/** The privacy notice of the form, with a link to the policy. */
function renderPrivacyNotice(locale: Locale, privacyPath: string): string {
  const { report: w, frame } = languages[locale]
  const days = new Intl.NumberFormat(formatTag(locale)).format(errorReportDays)
  const items = w.kept(days).map((text) => `<li>${escapeHtml(text)}</li>`)
  return `<section class="report-kept" aria-labelledby="report-kept"><h2 id="report-kept">${escapeHtml(w.keptTitle)}</h2><ul>${items.join('')}</ul><p><a href="${escapeHtml(privacyPath)}">${escapeHtml(frame.privacy.title)}</a></p></section>`
}
