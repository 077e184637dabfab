import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { act, type Act, type Done, type Refusal } from './load.server.ts'

/** A refusal with what was sent, so that a page without scripts can show the person's own words again. */
export type KeptRefusal = Refusal & { given: Record<string, string> }
/** What went well, or a refusal with what was sent. */
export type KeptOutcome<Acts = Record<string, Act>> = Done<Acts> | KeptRefusal

/**
 * As `act`, for forms whose text must survive a refusal, and whose endpoints need something of the form for their
 * path. `acts` is given the fields of the form.
 */
export async function actKeeping<Acts extends Record<string, Act>>(
  args: ActionFunctionArgs,
  acts: (given: Record<string, string>) => Acts,
): Promise<KeptOutcome<Acts>> {
  const form = await args.request.clone().formData()
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const given = Object.fromEntries(texts)
  const outcome: Done | Refusal = await act<Record<string, Act>>(args, acts(given))
  return outcome.ok ? (outcome as Done<Acts>) : { ...outcome, given }
}

/** The number in a form's hidden `version`; undefined where it says nothing, and then nothing is compared. */
export function versionIn(form: FormData): number | undefined {
  const version = Number(form.get('version'))
  return Number.isInteger(version) && version > 0 ? version : undefined
}

/** A text of a form; an empty one is null, for what may be absent. */
export function textOrNull(form: FormData, name: string): string | null {
  const text = form.get(name)
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null
}
