import { sql } from 'kysely'
import { parseFileId, fileIssues } from './stored.ts'
import { extractSecrets, type StoredSecret } from './secrets.ts'
import { encrypt, decrypt } from '#functions/domain/secrets/encrypt.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { findNextRun, scheduleIssue } from '#functions/engine/import/schedule.ts'
import { checkImportUrl } from '#functions/engine/import/url.ts'
import { templateIssue } from '#functions/engine/import/url-template.ts'
import type { ImporterSource } from '#functions/shapes/importer-source.ts'
import type { Issue } from '#functions/shapes/issue.ts'

/** Validates what the schema of an importer cannot: its URLs and its schedule. Failure `invalid` with all issues. */
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
    if (parseFileId(url) !== null) return void issues.push(...fileIssues(source, ['sources', i]))
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

/** Sources as they are stored, and their secrets, encrypted separately (null: there are none). */
export async function toStoredSources(
  ctx: Context,
  importer: { id: string; secrets: string | null },
  values: ImporterSource[],
): Promise<{ sources: string; secrets: string | null }> {
  const { sources, secrets } = extractSecrets(values, await readImporterSecrets(ctx, importer))
  const of = { purpose: 'importer', id: importer.id } as const
  const encryptedSecrets = secrets.length ? await encrypt(ctx.settings, of, JSON.stringify(secrets)) : null
  return { sources: JSON.stringify(sources), secrets: encryptedSecrets }
}

/** The secrets of an importer's sources; empty where they cannot be decrypted any more: then they have to be entered again. */
export async function readImporterSecrets(
  ctx: Context,
  importer: { id: string; secrets: string | null },
): Promise<StoredSecret[]> {
  return (await decryptSecrets(ctx, importer)) ?? []
}

/** The secrets for a run; null where they cannot be decrypted any more. */
export async function decryptSecrets(
  ctx: Context,
  { id, secrets }: { id: string; secrets: string | null },
): Promise<StoredSecret[] | null> {
  if (secrets === null) return []
  const text = await decrypt(ctx.settings, { purpose: 'importer', id }, secrets)
  return text === null ? null : (JSON.parse(text) as StoredSecret[])
}

/**
 * The next scheduled run of an importer; null: never, because it is disabled or has no schedule. By the clock of the
 * database, which also starts it: with a clock that is behind, a past time would be due at once; with one that is ahead,
 * a time would be skipped.
 */
export async function computeNextRun(
  tx: Tx,
  { enabled, schedule, timeZone }: { enabled: boolean; schedule: string | null; timeZone: string },
): Promise<Date | null> {
  if (!enabled || !schedule) return null
  const { at } = await tx.selectNoFrom(sql<Date>`now()`.as('at')).executeTakeFirstOrThrow()
  return findNextRun(schedule, timeZone, at)
}
