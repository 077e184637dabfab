import { inject } from 'vitest'
import { callAs } from './ask.ts'
import type { Page } from './browser.ts'

/** Deletes something of `/v1` as the person who has signed in on a page: keys may not delete what needs a proof. */
export async function deleteAs(page: Page, path: string): Promise<void> {
  const origin = `http://localhost:${inject('port')}`
  const headers = { 'sec-fetch-site': 'same-origin', origin }
  const answer = await page.context().request.delete(origin + path, { headers })
  if (answer.status() >= 300) throw new Error(`DELETE ${path}: ${answer.status()} ${await answer.text()}`)
}

/**
 * Deletes a source that a walk has made, with the data type made for it, so that no later walk sees either. The person
 * signed in on the page is an organization admin.
 */
export async function deleteSource(page: Page, sourceId: string): Promise<void> {
  const path = `/v1/sources/${sourceId}`
  const source = await callAs<Record<'dataTypeId' | 'placeId', string>>('organization_admin', 'GET', path)
  const { dataTypeId, placeId } = source
  await deleteAs(page, path)
  const { ownerPlaceId } = await callAs('organization_admin', 'GET', `/v1/dataTypes/${dataTypeId}`)
  if (ownerPlaceId === placeId) await deleteAs(page, `/v1/dataTypes/${dataTypeId}`)
}
