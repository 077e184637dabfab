import { useState } from 'react'
import { Input, ListBox, ListBoxItem, SearchField, Text } from 'react-aria-components'
import { findThumbnailUrl, type Asset } from './asset.ts'
import { UploadZone } from './upload-zone.tsx'
import { useLibrary } from './use-library.ts'
import OpenDialog from '../shell/open-dialog.tsx'

interface MediaDialogProps {
  /** The library: the id of the place. */
  assetsId: string
  onPick(asset: Asset): void
  onClose(): void
}

/** The open dialog of `MediaPicker`. */
export default function MediaDialog({ assetsId, onPick, onClose }: MediaDialogProps) {
  return (
    <OpenDialog title="Choose a picture" onClose={onClose}>
      <Choice assetsId={assetsId} onPick={onPick} />
    </OpenDialog>
  )
}

function Choice({ assetsId, onPick }: Pick<MediaDialogProps, 'assetsId' | 'onPick'>) {
  const [search, setSearch] = useState('')
  const { assets, total, error, again } = useLibrary(assetsId, search)
  const pick = (id: unknown) => {
    const asset = assets?.find((each) => each.id === id)
    if (asset) onPick(asset)
  }
  return (
    <div className="dialog-body">
      <SearchField
        className="menu-search"
        aria-label="Search pictures"
        value={search}
        onChange={setSearch}
        autoFocus
      >
        <Input placeholder="Search pictures" />
      </SearchField>
      {error ? (
        <div className="notice is-warning row">
          <p className="grow">{error}</p>
          <button type="button" className="button is-small" onClick={again}>
            Try again
          </button>
        </div>
      ) : assets === null ? (
        <div className="skeleton is-block" aria-label="Loading" />
      ) : (
        <ListBox
          className="media-choices"
          aria-label="Pictures"
          layout="grid"
          selectionMode="single"
          items={assets}
          onSelectionChange={(keys) => keys !== 'all' && pick([...keys][0])}
          renderEmptyState={() => (
            <p className="muted">{search ? 'No results!' : 'No picture is in the library yet.'}</p>
          )}
        >
          {(asset) => (
            <ListBoxItem id={asset.id} textValue={asset.name} className="media-choice">
              <img src={findThumbnailUrl(asset) ?? ''} alt="" loading="lazy" />
              <Text slot="label" className="truncate">
                {asset.name}
              </Text>
              {asset.alt ? null : <span className="badge is-warning">No alt text</span>}
            </ListBoxItem>
          )}
        </ListBox>
      )}
      {assets && total > assets.length ? (
        <p className="muted">
          The newest {assets.length} of {total}. Search to find the others.
        </p>
      ) : null}
      <UploadZone assetsId={assetsId} folderId={null} accept={['image/*']} isSmall onSent={onPick}>
        Or drop a new picture here
      </UploadZone>
    </div>
  )
}
