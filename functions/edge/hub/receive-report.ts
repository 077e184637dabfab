import type { AuthSecrets } from '#functions/platform/auth-secrets.ts'
import type { SentReport } from '#functions/shapes/error-report.ts'
import { hashOfReport, makeForm, readReport, valuesIn } from './report-form.ts'
import type { ReportState } from './report-page.ts'

/** The outcome of a report. `seconds`: until another may be sent. */
export type ReportOutcome =
  | { kind: 'taken' }
  | { kind: 'gone' }
  | { kind: 'tooMany'; seconds: number }
  | { kind: 'unavailable' }

/** Stores a report in the database. Never throws. */
export type StoreReport = (report: SentReport) => Promise<ReportOutcome>

/** The empty form of a source, about the subject in its URL. */
export async function newReport(
  url: URL,
  source: { placeId: string; sourceId: string },
  secrets: AuthSecrets,
  now: number,
): Promise<ReportState> {
  const form = await makeForm(secrets, source, now)
  const values = valuesIn(url.searchParams)
  return { kind: 'form', values, problems: {}, form, status: 200, retryAfter: null }
}

/** The state of the page after a submission. The form keeps its values unless the report was accepted. */
export async function receiveReport(
  request: Request,
  { locale, ...source }: { placeId: string; sourceId: string; locale: string },
  secrets: AuthSecrets,
  { storeReport, now }: { storeReport: StoreReport; now: number },
): Promise<ReportState> {
  const { values, problems, status, form, isSpam } = await readReport(request, source, secrets, now)
  const buildFormState = async (
    wrong: Extract<ReportState, { kind: 'form' }>['problems'],
    code: number,
    retryAfter: number | null = null,
  ): Promise<ReportState> => ({
    ...{ kind: 'form', values, problems: wrong, status: code, retryAfter },
    form: form || (await makeForm(secrets, source, now)),
  })
  if (Object.keys(problems).length > 0) return buildFormState(problems, status)
  const { text, datumId, insightId } = values
  const email = values.email === '' ? null : values.email
  const formHash = await hashOfReport(form, values)
  const outcome = await storeReport({ ...source, datumId, insightId, text, email, locale, formHash, isSpam })
  switch (outcome.kind) {
    case 'taken':
      return { kind: 'done', hasEmail: email !== null }
    case 'gone':
      return { kind: 'gone' }
    case 'tooMany':
      return buildFormState({ form: 'tooMany' }, 429, outcome.seconds)
    case 'unavailable':
      return buildFormState({ form: 'unavailable' }, 503, 60)
  }
}
