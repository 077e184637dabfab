import { lazy, Suspense } from 'react'
import { Button, Dialog, DialogTrigger, Modal, ModalOverlay } from 'react-aria-components'
import { DialogHead } from '../shell/dialog-head.tsx'

export interface InsightChoice {
  id: string
  name: string
  notes: string
  /** The type of its visualization. */
  type: string
}

/** Loaded when the dialog opens: its search box is 4 kB of the script of every collection. */
const InsightList = lazy(async () => ({ default: (await import('./insight-list.tsx')).InsightList }))

interface InsightPickerProps {
  insights: InsightChoice[]
  onPick(id: string): void
  /** The label of its button. */
  label?: string
  className?: string
}

/** The choice of an insight of the place by name. */
export function InsightPicker({
  insights,
  onPick,
  label = 'Insight…',
  className = 'button is-small',
}: InsightPickerProps) {
  return (
    <DialogTrigger>
      <Button className={className}>{label}</Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="dialog is-lg">
          <Dialog className="picker" aria-label="Choose an insight">
            {({ close }) => (
              <>
                <DialogHead>Choose an insight</DialogHead>
                <Suspense fallback={<div className="skeleton is-block" />}>
                  <InsightList
                    insights={insights}
                    onPick={(id) => {
                      close()
                      onPick(id)
                    }}
                  />
                </Suspense>
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  )
}
