import * as v from 'valibot'
import { hex, sha256 } from '#functions/platform/digest.ts'
import type { AuthSecrets } from '#functions/platform/auth-secrets.ts'
import { boundedText } from '#functions/platform/bounded-text.ts'
import { isSigned, signature } from '#functions/engine/media/sign.ts'
import { Email } from '#functions/shapes/auth.ts'
import { maxReportLength } from '#functions/shapes/error-report.ts'
import type { ReportTexts } from '#functions/shapes/language/report.ts'

/** The names of the inputs. `website` is an invisible honeypot that bots fill. */
export const reportFields = {
  text: 'text',
  email: 'email',
  record: 'record',
  figure: 'figure',
  form: 'form',
  bait: 'website',
} as const

/** The typed values, to be shown again. */
export interface ReportValues {
  text: string
  email: string
  /** The record or insight of the report; null: the source as a whole. */
  datumId: string | null
  insightId: string | null
}

/** An error of a submission, of one field or of the whole form. */
export type ReportProblem = keyof ReportTexts['problems']
export interface ReportProblems {
  text?: ReportProblem
  email?: ReportProblem
  form?: ReportProblem
}

/** A parsed submission; without `problems` it can be accepted. */
interface ReadReport {
  values: ReportValues
  problems: ReportProblems
  /** The status of the page that shows the form again because the submission could not be parsed: 403, 413, 415, 422. */
  status: number
  /** The token of its form, to be submitted again; '' if it was not valid. */
  form: string
  isSpam: boolean
}

/** Maximum size of a body in bytes; a text that is much too long is still shown again to be shortened. */
const maxBytes = 128 * 1024
/** A form is valid for a day, and not in the first two seconds, as people read first. */
const goodMs = 86_400_000
const readingMs = 2000

/** A signed form token for one source: its time, and random text so that each is unique. */
export async function makeForm(
  secrets: AuthSecrets,
  { placeId, sourceId }: { placeId: string; sourceId: string },
  now: number,
): Promise<string> {
  const once = crypto.randomUUID()
  const at = String(now)
  return `${at}.${once}.${await signature(secrets.authSecret, 'report', [placeId, sourceId, at, once])}`
}

/** Why a form token is invalid; null if it is valid. */
async function problemOfForm(
  secrets: AuthSecrets,
  { placeId, sourceId }: { placeId: string; sourceId: string },
  form: string,
  now: number,
): Promise<'noForm' | 'expired' | 'quick' | null> {
  const [, at = '', once = '', value = ''] = /^(\d{13})\.([0-9a-f-]{36})\.([\w-]{43})$/.exec(form) ?? []
  if (!(await isSigned(secrets, 'report', [placeId, sourceId, at, once], value))) return 'noForm'
  const age = now - Number(at)
  return age > goodMs ? 'expired' : age < readingMs ? 'quick' : null
}

/** The subject of an empty form from its URL; invalid values are ignored. */
export function valuesIn(params: URLSearchParams): ReportValues {
  return {
    text: '',
    email: '',
    datumId: datumIn(params.get(reportFields.record)),
    insightId: insightIn(params.get(reportFields.figure)),
  }
}

const datumIn = (text: string | null) => cleanLine(text ?? '', 200) || null
const insightIn = (text: string | null) => (text !== null && /^[\w-]{1,64}$/.test(text) ? text : null)

/**
 * Parses a submission. Never throws on invalid content: texts are cleaned of control characters, and kept to be shown again after any
 * error.
 */
export async function readReport(
  request: Request,
  source: { placeId: string; sourceId: string },
  secrets: AuthSecrets,
  now: number,
): Promise<ReadReport> {
  const empty = valuesIn(new URL(request.url).searchParams)
  const refuse = (status: number, form: ReportProblem): ReadReport => ({
    ...{ values: empty, problems: { form }, status, form: '', isSpam: false },
  })
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return refuse(415, 'noForm')
  const body = await boundedText(request, maxBytes).catch(() => '')
  if (body === null) return refuse(413, 'large')
  const input = new URLSearchParams(body)
  const text = cleanText(input.get(reportFields.text) ?? '')
  const email = cleanLine(input.get(reportFields.email) ?? '', 1000)
  const form = input.get(reportFields.form) ?? ''
  const values = { ...valuesIn(input), text, email }
  const problem = await problemOfForm(secrets, source, form, now)
  const wrong: ReportProblems = {
    ...(text === '' ? { text: 'required' } : text.length > maxReportLength ? { text: 'long' } : {}),
    ...(email !== '' && !v.is(Email, email) ? { email: 'email' } : {}),
  }
  // Speed does not matter if it has to be submitted again anyway.
  const formProblem = isForeign(request)
    ? 'foreign'
    : problem === 'quick' && (wrong.text ?? wrong.email)
      ? null
      : problem
  const problems: ReportProblems = { ...wrong, ...(formProblem && { form: formProblem }) }
  return {
    values,
    problems,
    status: problems.form === 'foreign' ? 403 : 422,
    form: problem === null || problem === 'quick' ? form : '',
    isSpam: (input.get(reportFields.bait) ?? '') !== '',
  }
}

/** The hash by which a repeated submission is recognized: of the form token and all values. */
export async function hashOfReport(form: string, values: ReportValues): Promise<string> {
  return hex(
    await sha256(JSON.stringify([form, values.datumId, values.insightId, values.text, values.email])),
  )
}

/**
 * Whether the browser reports another site as the origin of the form. No credentials are involved, but another site could submit in a
 * reader's name.
 */
function isForeign({ headers, url }: Request): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') return true
  return origin !== null && (!URL.canParse(origin) || new URL(origin).host !== new URL(url).host)
}

/** Removes control characters other than line breaks, and those that change the text direction around them. */
function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .normalize('NFC')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const cleanLine = (text: string, most: number) => cleanText(text).replace(/\n+/g, ' ').slice(0, most)
