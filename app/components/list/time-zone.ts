import { createContext } from 'react'

/** "Time zone: the place's own or the browser's": what days of a screen are written in. */
export const TimeZone = createContext('UTC')

/** The tag by which days and times of a screen are written: the reader's own, as their browser says ("en-GB", "de"). */
export const DateLocale = createContext('en')
