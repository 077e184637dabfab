import { useEffect, useMemo } from 'react'
import { drafts } from './drafts.ts'
import { setWriterHere } from './use-draft.ts'
import { announceSignedIn } from './use-retry.ts'

/**
 * The author of drafts on this screen and the active place; null if no one is signed in. Also removes expired drafts, and tells tabs
 * that waited for a sign-in to retry.
 */
export function useWriter(
  userId: string | undefined,
  placeId = '',
): { userId: string; placeId: string } | null {
  useEffect(() => {
    setWriterHere(userId ?? null)
    if (userId === undefined) return
    drafts().resume(userId)
    drafts().sweep()
    announceSignedIn()
  }, [userId])
  return useMemo(() => (userId === undefined ? null : { userId, placeId }), [userId, placeId])
}
