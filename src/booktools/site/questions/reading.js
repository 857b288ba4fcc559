// Numbers as people write them, in any country: 0.5, 0,5, 65,600, 65.600, 65 600, 1/2,
// 83 1/3, ⅓, ≈ 3, 50 %, 3 percent, 25×, 1.6 keys, 1e-3, 2·10^3.

const FRACTIONS = { "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4" };
const ABOUT = /^(≈|~|=|≃|about|roughly|around|ca\.?|approx\.?|approximately)\s*/i;
const TIMES = { k: 1e3, thousand: 1e3, million: 1e6, billion: 1e9 };
const PERCENT = /^(%|percent|per cent|pct)$/i;
const GROUPED = /^[+-]?\d{1,3}([ ,.'’]\d{3})+$/;
const HEAD = /^[+-]?[\d.,'’]*\d[\d.,'’]*(?: \d{3})*/;

// All numbers that a row of digits and separators may stand for, the book's own first.
function plain(text) {
  const last = Math.max(text.lastIndexOf(","), text.lastIndexOf("."));
  const bare = (part) => part.replace(/[ ,.'’]/g, "");
  const decimal = () => Number(`${bare(text.slice(0, last))}.${text.slice(last + 1)}`);
  if (last < 0) return [Number(bare(text))];
  const marks = text.match(/[.,]/g);
  const grouped = GROUPED.test(text);
  if (marks.length > 1 && new Set(marks).size === 1) return grouped ? [Number(bare(text))] : [];
  if (marks.length > 1 || !grouped || /^[+-]?0/.test(text)) return [decimal()];
  const both = [Number(bare(text)), decimal()];
  return marks[0] === "," ? both : both.reverse();
}

function tidy(text) {
  const signs = text.replace(/[−–]/g, "-").replace(/[\u00a0\u202f\u2009]/g, " ");
  const parts = signs.replace(/[½⅓⅔¼¾]/g, (sign) => ` ${FRACTIONS[sign]}`);
  return parts.trim().replace(/\s+/g, " ").replace(ABOUT, "");
}

// What is read of a text: { values, rest } with the words after the number, or
// { unclear, part } with the name of what to say. Several values: it is ambiguous.
export function read(text) {
  let left = tidy(text);
  if (left === "") return { unclear: "number_first" };
  const mixed = left.match(/^([+-]?)(\d+) (\d+) ?\/ ?(\d+)(?![\d.,])/);
  if (mixed && Number(mixed[4])) {
    const size = Number(mixed[2]) + Number(mixed[3]) / Number(mixed[4]);
    return ending([mixed[1] === "-" ? -size : size], left.slice(mixed[0].length));
  }
  const head = left.match(HEAD);
  if (!head) return { unclear: "in_digits", part: text.trim() };
  let values = plain(head[0]);
  left = left.slice(head[0].length);
  const power = left.match(/^ ?(?:e|(?:[·*×x] ?10|) ?\^) ?([+-]?\d+)/i);
  if (power) {
    const raised = !/10|e/i.test(power[0].replace(power[1], ""));
    const by = Number(power[1]);
    values = values.map((v) => (raised ? v ** by : v * 10 ** by));
    left = left.slice(power[0].length);
  }
  const over = left.match(/^ ?[/÷:] ?([\d.,'’]+)/);
  if (over) {
    const bottoms = plain(over[1]);
    values = values.flatMap((top) => bottoms.map((bottom) => top / bottom));
    left = left.slice(over[0].length);
  }
  return ending(values, left);
}

function ending(values, left) {
  const rest = left.trim();
  if (/\d/.test(rest) || /^[-/*+^÷]/.test(rest)) return { unclear: "one_number", part: rest };
  if (!values.length) return { unclear: "in_digits", part: rest };
  if (!values.every(Number.isFinite)) return { unclear: "no_value" };
  const factor = TIMES[rest.toLowerCase().split(" ")[0]] ?? 1;
  return { values: values.map((value) => value * factor), rest };
}

// The values that a text may stand for where a number of this unit is asked for, the
// likeliest first. Where percent are asked for, 50 % is 50, and 0.5 may be, too.
export function readings(text, unit = "") {
  const { values = [], rest = "" } = read(text);
  const percent = PERCENT.test(rest);
  if (unit !== "%") return percent ? values.map((value) => value / 100) : values;
  const shares = values.filter((value) => Math.abs(value) <= 1).map((value) => value * 100);
  return percent ? values : [...values, ...shares];
}
