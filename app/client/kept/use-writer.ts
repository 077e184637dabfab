import { useEffect, useMemo } from 'react'
import { drafts } from './drafts.ts'
import { setWriterHere } from './use-draft.ts'
import { announceSignedIn } from './use-retry.ts'

/**
 * Who writes on this screen, and in which place; null: no one is signed in. What was kept on this device for too long goes,
 * and tabs that waited for someone to sign in go on.
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
