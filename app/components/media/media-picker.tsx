import { DialogButton } from '../shell/dialog-button.tsx'
import { loadOnDemand } from '../state/load-on-demand.tsx'
import type { Asset } from './asset.ts'

const { Component: MediaDialog, preload } = loadOnDemand(() => import('./media-dialog.tsx'))

interface MediaPickerProps {
  /** The library: the id of the place. */
  assetsId: string
  onPick(asset: Asset): void
  /** The label of its button. */
  label?: string
  className?: string
}

/** A picker for pictures of the media library, which can also upload a new one. */
export function MediaPicker({
  assetsId,
  onPick,
  label = 'From the library…',
  className = 'button is-small',
}: MediaPickerProps) {
  return (
    <DialogButton className={className} label={label} preload={preload}>
      {(close) => (
        <MediaDialog
          assetsId={assetsId}
          onPick={(asset) => {
            close()
            onPick(asset)
          }}
          onClose={close}
        />
      )}
    </DialogButton>
  )
}
