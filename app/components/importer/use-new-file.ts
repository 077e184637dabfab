import { useRef, useState } from 'react'
import { Refused, tryFile, uploadFile } from './send-file.ts'
import { bytesWords } from '#functions/shapes/bytesWords.ts'
import { betterSelector, parserNamed, parserOfName, sourceOf } from './parser-guess.ts'
import type { TrialResult } from './tried.ts'
import type { ParserName } from '#functions/shapes/parser/index.ts'

/** A file that was chosen and how it is read. */
interface ChosenFile {
  file: File
  parser: ParserName
  selector: string
}

/** What is being sent, and how much of it was. */
export interface Sending {
  label: string
  sent: number
  total: number
  text: string
}

const sentenceOf = (error: unknown) =>
  error instanceof Refused
    ? error.message
    : 'It did not work. Try again, or add the file to a source by its page.'

/** A file on its way to a source that is not there yet: tried as soon as it is chosen, uploaded once there is a source. */
export function useNewFile(placeId: string) {
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  const [tried, setTried] = useState<TrialResult | null>(null)
  const [sending, setSending] = useState<Sending | null>(null)
  const [error, setError] = useState<string | null>(null)
  const turn = useRef(0)
  const progress = (label: string) => (sent: number, total: number) =>
    setSending({ label, sent, total, text: `${bytesWords(sent)} of ${bytesWords(total)}` })

  const look = async ({ file, parser, selector }: ChosenFile) => {
    const mine = (turn.current += 1)
    setChosen({ file, parser, selector })
    setError(null)
    progress(`Looking at ${file.name}`)(0, file.size)
    try {
      const result = await firstRows(placeId, { file, parser, selector }, progress(`Looking at ${file.name}`))
      if (turn.current !== mine) return
      setChosen({ file, parser, selector: result.selector })
      setTried(result.tried)
    } catch (cause) {
      if (turn.current === mine) setError(sentenceOf(cause))
    }
    if (turn.current === mine) setSending(null)
  }

  return {
    ...{ chosen, tried, sending, error },
    take: (file: File) => look({ file, parser: parserOfName(file.name), selector: '' }),
    readAs: (parser: string) =>
      chosen && look({ ...chosen, parser: parserNamed(parser) ?? chosen.parser, selector: '' }),
    selectRows: (selector: string) => chosen && look({ ...chosen, selector }),
    leave() {
      turn.current += 1
      setChosen(null)
      setTried(null)
      setSending(null)
      setError(null)
    },
    /** Gives the id of the uploaded file; null where it was refused, with the reason in `error`. */
    async upload(sourceId: string): Promise<string | null> {
      if (!chosen) return null
      setError(null)
      try {
        return await uploadFile(sourceId, chosen.file, progress(`Uploading ${chosen.file.name}`))
      } catch (cause) {
        setError(sentenceOf(cause))
        setSending(null)
        return null
      }
    },
  }
}

/** Rows that are not where they were looked for are looked for where the file itself shows some. */
async function firstRows(
  placeId: string,
  { file, parser, selector }: ChosenFile,
  progress: (sent: number, total: number) => void,
): Promise<{ tried: TrialResult; selector: string }> {
  const tried = await tryFile(placeId, file, sourceOf('file:sent', parser, selector), parser, progress)
  const better = betterSelector(selector, tried)
  if (better === null) return { tried, selector }
  const again = await tryFile(placeId, file, sourceOf('file:sent', parser, better), parser, progress)
  const isBetter = tried.lists.length > 0 ? again.rows.length > 0 : again.rows.length > tried.rows.length
  return isBetter ? { tried: again, selector: better } : { tried, selector }
}
