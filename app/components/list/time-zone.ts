import { createContext } from 'react'

/** "Time zone: the place's own or the browser's": what days of a screen are written in. */
export const TimeZone = createContext('UTC')
