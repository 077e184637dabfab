import { createContext } from 'react'

/** "Time zone: the place's own or the browser's": the time zone of a screen. */
export const TimeZone = createContext('UTC')

/** The locale of dates and times: the reader's browser setting ("en-GB", "de"). */
export const DateLocale = createContext('en')
