import { figureTitle } from '#functions/engine/table/page.ts'
import type { Locale } from '#functions/engine/address/locales.ts'
import type { AuthSecrets } from '#functions/platform/auth-secrets.ts'
import { reportContent, type ReportAddress } from './report-page.ts'
import type { TableContent } from './serve-table.ts'
import { newReport, takeReport, type KeepReport } from './take-report.ts'

/** What takes reports of readers. */
export interface ReportServices {
  secrets: AuthSecrets
  keep: KeepReport
}

/** What the page of the form is about, and where it finds what a figure is called. */
interface ReportPlace {
  name: string
  placeId: string
  locale: Locale
  /** The paths of the pages of the source and of privacy, as readers have them. */
  sourcePath: string
  privacyPath: string
  /** The stored page of the source. */
  sourcePage: string
  /** The stored page of a story that shows a figure; '' where none does. */
  storyOf: (figure: string) => Promise<string>
}

/**
 * The page of the form: empty, or with what became of what was sent by it. A figure is named as a page that everyone sees calls it, that of
 * the source or of a story: an address may say anything.
 */
export async function reportPage(
  request: Request,
  address: ReportAddress,
  { secrets, keep }: ReportServices,
  { placeId, sourcePage, storyOf, ...place }: ReportPlace,
): Promise<TableContent> {
  const source = { placeId, sourceId: address.sourceId, locale: place.locale }
  const now = Date.now()
  const state =
    request.method === 'POST'
      ? await takeReport(request, source, secrets, { keep, now })
      : await newReport(new URL(request.url), source, secrets, now)
  const id = state.kind === 'form' ? state.values.insightId : null
  const figure = id === null ? null : (figureTitle(sourcePage, id) ?? figureTitle(await storyOf(id), id))
  return reportContent(address, { ...place, figure }, state)
}
