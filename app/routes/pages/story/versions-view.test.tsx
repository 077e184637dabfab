import { expect, test } from 'vitest'
import { routeMarkup } from '#app/components/shell/markup.testing.tsx'
import { VersionsView, type PageVersion, type VersionsViewProps } from './versions-view.tsx'

const version: PageVersion & { title: string; description: string; author: string } = {
  ...{ id: 'v1', number: 1, kind: 'edited', authorName: 'Ada', restoredFrom: null },
  ...{ updatedAt: '2026-11-21T12:00:00.000Z', title: 'Trees', description: '', author: '' },
}
const older = {
  version,
  blocks: [],
  comparison: { standings: {}, addedCount: 0, isMoved: false, isTitled: true, isNow: false },
}

function html(changes: Partial<VersionsViewProps>): Promise<string> {
  const page = { id: 'p', title: 'Trees', type: 'storytelling', publish: 'draft' } as const
  const props = {
    page,
    versions: [version],
    selected: older,
    isTooLarge: false,
    isRestored: false,
    ...changes,
  }
  return routeMarkup(<VersionsView {...props} />)
}

test('an older version can be restored', async () => {
  expect(await html({})).toContain('Restore this version')
  expect(await html({})).not.toContain('too large')
})

test('a page that is too large says that no versions are stored, and offers nothing that would fail', async () => {
  const markup = await html({ isTooLarge: true })
  expect(markup).toContain('This page is too large to keep versions.')
  expect(markup).toContain('more than 10 MB')
  expect(markup).toContain('none of these can be restored')
  expect(markup).not.toContain('Restore this version')
})

test('one that was always too large does not promise that the next change is stored', async () => {
  const none = { versions: [], selected: null }
  expect(await html(none)).toContain('No versions yet')
  const markup = await html({ ...none, isTooLarge: true })
  expect(markup).toContain('This page is too large to keep versions.')
  expect(markup).not.toMatch(/No versions yet|none of these/)
})
