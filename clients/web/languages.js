// The languages of the page. Another one is a file like french.js, and a line here.

import { ENGLISH } from "./english.js";
import { FRENCH } from "./french.js";
import { useTexts } from "./texts.js";

const TABLES = [ENGLISH, FRENCH];

/** The languages: their codes and names. @type {[string, string][]} */
export const LANGUAGES = TABLES.map(({ language, languageName }) => [String(language), String(languageName)]);

/** Takes the texts of a language, or else of the browser's. @param {string} code may be empty */
export function useLanguage(code) {
  const wanted = code || navigator.language.split("-")[0];
  useTexts(TABLES.find(({ language }) => language === wanted));
}
