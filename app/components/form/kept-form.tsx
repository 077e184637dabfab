import { Form, useActionData, useNavigation, type FormProps } from '@remix-run/react'
import { useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { putTexts, textsIn } from '#app/client/kept/allowed.ts'
import { isSameTexts, type Draft, type Texts } from '#app/client/kept/drafts.ts'
import { failureIn, type FailedSave } from '#app/client/kept/keep-typed.ts'
import { useDraft } from '#app/client/kept/use-draft.ts'
import { useRetry } from '#app/client/kept/use-retry.ts'
import { KeptLine, StaleLine } from './kept-line.tsx'
import { KeptOffer } from './kept-offer.tsx'
import { FormChanged, KeepsWords } from './kept-value.tsx'
import { LeaveDialog } from './leave-dialog.tsx'

export interface KeptFormProps extends Omit<FormProps, 'method'> {
  /** Kind and id of what is written: `collection/abc`; `collection/new` where it is to be made. */
  thing: string
  /** What it is called where drafts are listed. */
  title: string
  /** The version it is written from; null where it is to be made, which is not sent again by itself: it might be made twice. */
  version?: number | null
  children: ReactNode
  /** Whether it may be sent twice; where there is a version it may. */
  isRepeated?: boolean
  /** Whether it asks before it is left. Not where another form of the screen does. */
  asks?: boolean
  /** Told whether it holds what is not saved. */
  onUnsaved?(isUnsaved: boolean): void
}

/**
 * A form with words that are not lost: kept on this device while they are typed, offered when the form is opened again, sent
 * again when a save failed. Its route exports `clientAction`, `clientLoader` and `shouldRevalidate` of `client/kept`.
 */
export function KeptForm({
  thing,
  title,
  version = null,
  children,
  asks = true,
  isRepeated: mayRepeat = version !== null,
  onUnsaved,
  onSubmit,
  ...form
}: KeptFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const touch = useRef(() => {})
  const sending = useSending(element, touch)
  const { isUnsaved, isBusy, failure, changed, submitter } = sending
  const read = useCallback(() => (element.current ? textsIn(element.current) : {}), [])
  const draft = useDraft({ thing, field: '', title, version, isDirty: isUnsaved, read })
  touch.current = draft.touch
  const { name, offeredDraft } = draft
  useOthers(name, sending.forget)
  const [saved, setSaved] = useState<Texts>({})
  const isTouched = useRef(isUnsaved)
  isTouched.current ||= isUnsaved
  const { decline } = draft
  const settle = useRef(decline)
  settle.current = decline
  useEffect(() => {
    if (!offeredDraft) return
    setSaved(read())
    // Editors that are fetched have their values a moment later
    const timer = setTimeout(() => {
      if (isTouched.current) return
      if (isSameTexts(offeredDraft.texts, read())) settle.current()
      else setSaved(read())
    }, 1000)
    return () => clearTimeout(timer)
  }, [offeredDraft, read])
  useEffect(() => onUnsaved?.(isUnsaved), [isUnsaved, onUnsaved])
  const submitAgain = () => {
    const button = submitter.current
    element.current?.requestSubmit(button?.isConnected ? button : null)
  }
  // What is made anew might be made twice, and what was typed since is not what was sent: a person sends these.
  const isRepeated = mayRepeat && !sending.isChangedSince
  const { seconds } = useRetry(isRepeated ? failure : null, isBusy, submitAgain)
  return (
    <FormChanged.Provider value={changed}>
      {offeredDraft ? (
        <FormOffer
          {...{ draft: offeredDraft, saved, version }}
          isNew={!mayRepeat}
          form={element.current}
          onUse={() => {
            if (element.current) putTexts(element.current, offeredDraft.texts)
            draft.accept()
            changed()
          }}
          onDecline={draft.decline}
        />
      ) : null}
      <Form
        {...form}
        method="post"
        ref={element}
        onSubmit={(event) => {
          draft.flush()
          sending.noteSent((event.nativeEvent as SubmitEvent).submitter)
          onSubmit?.(event)
        }}
      >
        {name ? <input type="hidden" name="kept" value={name} /> : null}
        <KeepsWords.Provider value>{children}</KeepsWords.Provider>
        <KeptLine failure={failure} outcome={draft.outcome} seconds={seconds} onTry={submitAgain} />
        <StaleLine />
      </Form>
      {asks ? <LeaveDialog isUnsaved={isUnsaved} isKept={name !== '' && draft.outcome === 'kept'} /> : null}
    </FormChanged.Provider>
  )
}

/** Whether a form holds what is not saved, and what became of it when it was sent. */
function useSending(form: RefObject<HTMLFormElement>, touch: RefObject<() => void>) {
  const [isChanged, setChanged] = useState(false)
  const [changedAt, setChangedAt] = useState<FailedSave | null>(null)
  const { state } = useNavigation()
  const outcome: unknown = useActionData()
  const submitter = useRef<HTMLElement | null>(null)
  /** The outcome that was there when the form was sent: only what comes after is its own. Null: it was not sent. */
  const [before, setBefore] = useState<{ outcome: unknown } | null>(null)
  const own = before && outcome !== before.outcome ? outcome : undefined
  const isBusy = state === 'submitting'
  const failure = isBusy ? null : failureIn(own)
  const isRefused = (own as { ok?: boolean } | undefined)?.ok === false
  const last = useRef(failure)
  last.current = failure
  const changed = useCallback(() => {
    setChanged(true)
    setChangedAt(last.current)
    touch.current?.()
  }, [touch])
  useEffect(() => {
    if (!isRefused) return
    setChanged(true)
    touch.current?.()
  }, [isRefused, own, touch])
  useEffect(() => {
    const element = form.current
    // Not at once: this listener comes before React's own, and a render in between would put a controlled input back
    // to what it was, so that React never heard of its first letter.
    const onInput = () => setTimeout(changed)
    element?.addEventListener('input', onInput)
    return () => element?.removeEventListener('input', onInput)
  }, [form, changed])
  return {
    isUnsaved: isChanged && !isBusy,
    isBusy,
    failure,
    isChangedSince: failure !== null && changedAt === failure,
    changed,
    submitter,
    noteSent(button: HTMLElement | null) {
      submitter.current = button
      setBefore({ outcome })
      setChanged(false)
    },
    /** Another form of the screen is sent: what comes is not of this one. */
    forget: useCallback(() => setBefore(null), []),
  }
}

/** Tells when another form of the screen is sent. */
function useOthers(name: string, onSent: () => void) {
  const { formData } = useNavigation()
  const sender = formData?.get('kept') ?? null
  const isSent = formData !== undefined
  useEffect(() => {
    if (isSent && sender !== name) onSent()
  }, [isSent, sender, name, onSent])
}

interface FormOfferProps {
  draft: Draft
  /** What the form holds without it. */
  saved: Texts
  version: number | null
  isNew: boolean
  form: HTMLFormElement | null
  onUse(): void
  onDecline(): void
}

/** The fields that differ, each with what was typed and what is there. */
function FormOffer({ draft, saved, form, isNew, ...rest }: FormOfferProps) {
  const { texts } = draft
  const names = Object.keys(texts).filter((name) => (texts[name] ?? '') !== (saved[name] ?? ''))
  const side = (from: Texts) => (
    <dl className="kept-fields">
      {names.map((name) => (
        <div key={name}>
          <dt>{labelOf(form, name)}</dt>
          <dd>{wordsOf(from[name] ?? '') || '–'}</dd>
        </div>
      ))}
    </dl>
  )
  return <KeptOffer draft={draft} ownVersion={side(texts)} theirs={isNew ? null : side(saved)} {...rest} />
}

/** What an input is called on the screen. */
function labelOf(form: HTMLFormElement | null, name: string): string {
  const [base = '', value] = name.split('=')
  const inputs = [...(form?.elements ?? [])] as HTMLInputElement[]
  const input = inputs.find((each) => each.name === base && (value === undefined || each.value === value))
  const label = input?.labels?.[0] ?? input?.closest('.field')?.querySelector('.field-label')
  return label?.textContent?.trim() || base
}

/** The words of a formatted text; others as they are. */
function wordsOf(text: string): string {
  if (/^[{[]/.test(text)) return jsonOf(text)
  if (!/<[a-z][^>]*>/i.test(text)) return text
  const withBreaks = text.replace(/<\/(?:p|h\d|li)>/g, '\n$&')
  return new DOMParser().parseFromString(withBreaks, 'text/html').body.textContent?.trim() ?? ''
}

/** A document of an editor, to be read; the text itself where it is none. */
function jsonOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
