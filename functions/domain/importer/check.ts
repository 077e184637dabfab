import { sql } from 'kysely'
import { fileIdOf, fileIssues } from './stored.ts'
import { takeSecrets, type StoredSecret } from './secrets.ts'
import { encrypt, decrypt } from '#functions/domain/secrets/encrypt.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { nextRun, scheduleIssue } from '#functions/engine/import/schedule.ts'
import { checkImportUrl } from '#functions/engine/import/url.ts'
import { templateIssue } from '#functions/engine/import/urlTemplate.ts'
import type { ImporterSource } from '#functions/shapes/importerSource.ts'
import type { Issue } from '#functions/shapes/issue.ts'

/** What an importer's shape does not say: where it may reach, and when it runs. Failure `invalid` names all that is wrong. */
export function requireGoodImporter({
  sources = [],
  schedule,
}: {
  sources?: ImporterSource[]
  schedule?: string | null
}): void {
  const issues: Issue[] = []
  sources.forEach((source, i) => {
    const { url, oauth } = source
    if (fileIdOf(url) !== null) return void issues.push(...fileIssues(source, ['sources', i]))
    const refuse = (path: string[], address: string) => {
      const { refusal } = checkImportUrl(address)
      // Not with the address: there may be a password in it.
      if (refusal !== undefined) issues.push({ path: ['sources', i, ...path], message: refusal })
    }
    refuse(['url'], url)
    const unknown = templateIssue(url)
    if (unknown !== null) issues.push({ path: ['sources', i, 'url'], message: unknown })
    if (oauth) refuse(['oauth', 'grant', 'url'], oauth.grant.url)
  })
  if (schedule) {
    const message = scheduleIssue(schedule)
    if (message !== null) issues.push({ path: ['schedule'], value: schedule, message })
  }
  if (issues.length) throw new Failure('invalid', { issues })
}

/** Sources as they are stored, and beside them, encrypted, what of them is secret (null: nothing is). */
export async function storedSources(
  ctx: Context,
  importer: { id: string; secrets: string | null },
  values: ImporterSource[],
): Promise<{ sources: string; secrets: string | null }> {
  const { sources, secrets } = takeSecrets(values, await secretsOf(ctx, importer))
  const of = { purpose: 'importer', id: importer.id } as const
  const encryptedSecrets = secrets.length ? await encrypt(ctx.settings, of, JSON.stringify(secrets)) : null
  return { sources: JSON.stringify(sources), secrets: encryptedSecrets }
}

/** The secrets of an importer's sources; none where they cannot be decrypted any more: then they have to be sent again. */
export async function secretsOf(
  ctx: Context,
  importer: { id: string; secrets: string | null },
): Promise<StoredSecret[]> {
  return (await openedSecrets(ctx, importer)) ?? []
}

/** The secrets for a run; null where they cannot be decrypted any more. */
export async function openedSecrets(
  ctx: Context,
  { id, secrets }: { id: string; secrets: string | null },
): Promise<StoredSecret[] | null> {
  if (secrets === null) return []
  const text = await decrypt(ctx.settings, { purpose: 'importer', id }, secrets)
  return text === null ? null : (JSON.parse(text) as StoredSecret[])
}

/**
 * When an importer runs next by itself; null: never, for it is switched off or has no schedule. By the clock of the database, as
 * whoever starts it goes by that: by a clock that is late a time that has passed would be due at once, by one that is early a
 * time would be left out.
 */
export async function nextRunOf(
  tx: Tx,
  { enabled, schedule, timeZone }: { enabled: boolean; schedule: string | null; timeZone: string },
): Promise<Date | null> {
  if (!enabled || !schedule) return null
  const { at } = await tx.selectNoFrom(sql<Date>`now()`.as('at')).executeTakeFirstOrThrow()
  return nextRun(schedule, timeZone, at)
}
