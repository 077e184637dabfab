import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { isSecretName } from '#app/client/drafts/storable-inputs.ts'
import { tagsIn } from '#functions/shapes/tags.ts'
import { handleForm, type IntentHandler, type FormResult, type Refusal } from './load.server.ts'

export { versionIn } from './load.server.ts'

/** A failure with the submitted values except secrets, so that a page without scripts can show them again. */
export type RefusalWithValues = Refusal & { formValues: Record<string, string> }
/** A success, or a failure with the submitted values. */
export type OutcomeWithValues<Acts = Record<string, IntentHandler>> = FormResult<Acts> | RefusalWithValues

/**
 * As `handleForm`, for forms whose values must survive a failure, and whose endpoints need something of the form for their
 * path: then `acts` is a function of the fields of the form.
 */
export async function handleFormKeepingValues<Acts extends Record<string, IntentHandler>>(
  args: ActionFunctionArgs,
  acts: Acts | ((formValues: Record<string, string>) => Acts),
): Promise<OutcomeWithValues<Acts>> {
  const form = await args.request.formData()
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const formValues = Object.fromEntries(texts)
  const chosenActs = typeof acts === 'function' ? acts(formValues) : acts
  const outcome: FormResult | Refusal = await handleForm<Record<string, IntentHandler>>(
    args,
    chosenActs,
    form,
  )
  if (outcome.ok) return outcome as FormResult<Acts>
  // Secrets must not be sent back in a page.
  const entries = Object.entries(formValues).filter(([name]) => !isSecretName(name))
  return { ...outcome, formValues: Object.fromEntries(entries) }
}

/** The tags in a form, separated by commas. */
export function parseFormTags(form: FormData): string[] {
  const text = form.get('tags')
  return typeof text === 'string' ? tagsIn(text) : []
}

/** A trimmed text of a form; null if it is empty or missing. */
export function textOrNull(form: FormData, name: string): string | null {
  const text = form.get(name)
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null
}
