// Says in the page's title what is wrong with the page as the browser lays it out, or "good: light" or "good: dark".
const faults = [];
for (const item of document.querySelectorAll("summary, a"))
    if (item.tabIndex < 0)
        faults.push("no key reaches " + item.textContent);
for (const item of document.querySelectorAll("summary")) {
    const details = item.parentElement, was = details.open;
    item.click();
    if (details.open === was)
        faults.push("it does not fold: " + item.textContent);
    details.open = true;
}
const covers = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
for (const picture of document.querySelectorAll("svg")) {
    const whole = picture.getBoundingClientRect();
    const labels = [...picture.querySelectorAll("text")].map(text => [text.textContent, text.getBoundingClientRect()]);
    labels.forEach(([text, box], i) => {
        if (text === "")
            return;
        if (box.width === 0 || box.left < whole.left || box.right > whole.right || box.bottom > whole.bottom)
            faults.push("not in its picture: " + text);
        for (const [other, its] of labels.slice(i + 1))
            if (covers({left: box.left + 1, right: box.right - 1, top: box.top + 3, bottom: box.bottom - 3}, its))
                faults.push(text + " covers " + other);
    });
}
if (document.documentElement.scrollWidth > innerWidth)
    faults.push("the page is " + document.documentElement.scrollWidth + " wide in " + innerWidth);
const light = getComputedStyle(document.body).backgroundColor === "rgb(255, 255, 255)";
document.title = (faults.length ? faults.slice(0, 5).join("; ") : "good: ") + (light ? "light" : "dark");
