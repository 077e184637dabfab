import * as v from 'valibot'
import { hex, sha256 } from '#functions/platform/digest.ts'
import type { AuthSecrets } from '#functions/platform/auth-secrets.ts'
import { boundedText } from '#functions/platform/bounded-text.ts'
import { isSigned, signature } from '#functions/engine/media/sign.ts'
import { Email } from '#functions/shapes/auth.ts'
import { mostReportText } from '#functions/shapes/errorReport.ts'
import type { ReportWords } from '#functions/shapes/language/report.ts'

/** The names of the fields. `website` is one that people do not see: programs fill it. */
export const reportFields = {
  text: 'text',
  email: 'email',
  record: 'record',
  figure: 'figure',
  form: 'form',
  bait: 'website',
} as const

/** What was typed, as it is shown again. */
export interface ReportValues {
  text: string
  email: string
  /** The record or insight that it is about; null: the source as a whole. */
  datumId: string | null
  insightId: string | null
}

/** What is wrong with what was sent: with a field, or with all of it. */
export type ReportProblem = keyof ReportWords['problems']
export interface ReportProblems {
  text?: ReportProblem
  email?: ReportProblem
  form?: ReportProblem
}

/** What was sent, read. `problems` empty: it can be taken. */
export interface ReadReport {
  values: ReportValues
  problems: ReportProblems
  /** For this answer where the form has to be shown again and what says what it was is missing: 403, 413, 415, 422. */
  status: number
  /** The form that it was sent by, to be sent by again; '' where it is not ours, or too old. */
  form: string
  isSpam: boolean
}

/** Bytes of a body that are read: a text that is far too long is still given back to be shortened. */
const mostBytes = 128 * 1024
/** A form is good for a day, and not in the first two seconds: a person reads first. */
const goodMs = 86_400_000
const readingMs = 2000

/** The form as signed for one source: when it was made, and a random text so that each is another. */
export async function makeForm(
  secrets: AuthSecrets,
  { placeId, sourceId }: { placeId: string; sourceId: string },
  now: number,
): Promise<string> {
  const once = crypto.randomUUID()
  const at = String(now)
  return `${at}.${once}.${await signature(secrets.authSecret, 'report', [placeId, sourceId, at, once])}`
}

/** Why a form is not taken; null where it is. */
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

/** What a form would be about by its address; values that name nothing say nothing. */
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
 * Reads what was sent. Never throws for what it holds: texts are cleaned of what steers instead of saying something, and kept
 * to be shown again whatever is wrong.
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
  const body = await boundedText(request, mostBytes).catch(() => '')
  if (body === null) return refuse(413, 'large')
  const input = new URLSearchParams(body)
  const text = cleanText(input.get(reportFields.text) ?? '')
  const email = cleanLine(input.get(reportFields.email) ?? '', 1000)
  const form = input.get(reportFields.form) ?? ''
  const values = { ...valuesIn(input), text, email }
  const problem = await problemOfForm(secrets, source, form, now)
  const wrong: ReportProblems = {
    ...(text === '' ? { text: 'required' } : text.length > mostReportText ? { text: 'long' } : {}),
    ...(email !== '' && !v.is(Email, email) ? { email: 'email' } : {}),
  }
  // How fast it came is no matter where it has to be sent again anyway.
  const ofForm = isForeign(request)
    ? 'foreign'
    : problem === 'quick' && (wrong.text ?? wrong.email)
      ? null
      : problem
  const problems: ReportProblems = { ...wrong, ...(ofForm && { form: ofForm }) }
  return {
    values,
    problems,
    status: problems.form === 'foreign' ? 403 : 422,
    form: problem === null || problem === 'quick' ? form : '',
    isSpam: (input.get(reportFields.bait) ?? '') !== '',
  }
}

/** What makes a report the same as one that was sent before: the form and all it says. */
export async function hashOfReport(form: string, values: ReportValues): Promise<string> {
  return hex(
    await sha256(JSON.stringify([form, values.datumId, values.insightId, values.text, values.email])),
  )
}

/** Browsers say where a form was sent from. Nothing of the sender goes with it, but another site could send in their name. */
function isForeign({ headers, url }: Request): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') return true
  return origin !== null && (!URL.canParse(origin) || new URL(origin).host !== new URL(url).host)
}

/** Lines of text: no other control character, and nothing that turns the direction of what stands around it. */
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
